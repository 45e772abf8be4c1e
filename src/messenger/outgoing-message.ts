import type { Api } from 'grammy/web';
import type { BotApiFailure } from './bot-api-failure.js';
import type { OutgoingMessage, SendOutcome } from './messenger.js';

/**
 * The limit of a caption. The Bot API says "characters" without defining them. A text that fits when counted
 * in UTF-16 units, as here, fits by any count.
 */
const MAX_CAPTION_LENGTH = 1024;

/**
 * The Bot API usually reports an unreachable user with a 403. These descriptions report the same with a 400.
 */
const UNREACHABLE_USER =
  /chat not found|user not found|user is deactivated|PEER_ID_INVALID|USER_IS_BLOCKED|USER_IS_DEACTIVATED/i;
const BLOCKED_BY_USER = /blocked by the user|USER_IS_BLOCKED/i;

const isPhoto = ({ text, imageUrl, isPictureLinked = false }: OutgoingMessage): boolean =>
  Boolean(imageUrl) && text.length <= MAX_CAPTION_LENGTH && !isPictureLinked;

/**
 * What the messenger said, if it may be about the picture: it names the reasons in many ways, so that every
 * refusal of the message is tried once more without, unless it is about the user.
 */
export function pictureRefusal(message: OutgoingMessage, failure: BotApiFailure): string | undefined {
  const isRefusal =
    failure.kind === 'refused' && failure.code === 400 && !UNREACHABLE_USER.test(failure.detail);
  return isRefusal && isPhoto(message) ? failure.detail : undefined;
}

/**
 * Sends a message as a whole. An image is sent as a photo with the text as its caption. If the text is too
 * long for a caption, it is sent as a message that shows the image as a large link preview above the text,
 * because two messages would break "one message per recipient" (spec, send_campaign). A parse_mode is never
 * set. `chat_id` stays a string, because a number would lose the last digits of an id above 2^53.
 */
export function deliver(
  api: Api,
  userId: string,
  message: OutgoingMessage,
): Promise<{ message_id?: unknown }> {
  const { text, imageUrl, button, appButton } = message;
  const rows = [
    ...(button ? [[{ text: button.text, url: button.url }]] : []),
    ...(appButton ? [[{ text: appButton.text, web_app: { url: appButton.url } }]] : []),
  ];
  const keyboard = rows.length > 0 ? { reply_markup: { inline_keyboard: rows } } : {};
  if (!imageUrl) return api.sendMessage(userId, text, keyboard);
  if (isPhoto(message)) return api.sendPhoto(userId, imageUrl, { caption: text, ...keyboard });
  const preview = {
    link_preview_options: { url: imageUrl, prefer_large_media: true, show_above_text: true },
  };
  return api.sendMessage(userId, text, { ...preview, ...keyboard });
}

export function failedSend(failure: BotApiFailure): SendOutcome {
  const { detail } = failure;
  if (
    failure.kind === 'refused' &&
    (failure.code === 403 || (failure.code === 400 && UNREACHABLE_USER.test(detail)))
  ) {
    return { sent: false, reason: 'unreachable', blocked: BLOCKED_BY_USER.test(detail), detail };
  }
  const wait = failure.kind === 'slow_down' ? { retryAfterSeconds: failure.retryAfterSeconds } : {};
  return { sent: false, reason: 'send_failed', blocked: false, detail, ...wait };
}
