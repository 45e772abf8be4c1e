/**
 * The script of the page of previews. It speaks the MCP Apps protocol (revision 2026-01-26) with the page
 * around it, and puts values into the page as text only, because shoppers typed some of them.
 */
export const PREVIEW_SCRIPT = `
'use strict';
const MOST_ROWS = 500;
const at = (id) => document.getElementById(id);
const waiting = new Map();
let lastId = 0;
let host = {};
let preview = null;

const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const notify = (method, params = {}) => post({ method, params });
const request = (method, params) =>
  new Promise((resolve, reject) => {
    const id = ++lastId;
    waiting.set(id, { resolve, reject });
    post({ id, method, params });
  });

const say = (text) => { at('status').textContent = text; };
const disable = (disabled) => { at('apply').disabled = at('cancel').disabled = disabled; };

function add(parentElement, name, text) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  parentElement.append(element);
  return element;
}

function fill(rows) {
  const table = document.createElement('table');
  const head = add(add(table, 'thead'), 'tr');
  for (const name of ['Record', 'Field', 'Before', 'After']) add(head, 'th', name).scope = 'col';
  const body = add(table, 'tbody');
  let last = null;
  for (const { record, field, before, after } of rows.slice(0, MOST_ROWS)) {
    const line = add(body, 'tr');
    const named = add(line, 'th', record === last ? '' : record);
    named.scope = 'row';
    for (const text of [field, before, after]) add(line, 'td', text);
    last = record;
  }
  at('table').replaceChildren(table);
}

function notesOf({ answer, rows, more = 0 }) {
  const items = Array.isArray(answer.items) ? answer.items : [];
  const refused = items.filter((item) => item && item.error);
  const hidden = more + Math.max(0, rows.length - MOST_ROWS);
  return [
    ...(answer.warnings || []),
    ...items.flatMap((item) => (item && item.warnings) || []),
    ...refused.map(({ index, error }) =>
      'Item ' + index + ' will be left out: ' + (error.message || error)),
    ...(hidden > 0 ? [hidden + ' more changes are not shown.'] : []),
  ];
}

function envelopeOf(result) {
  if (result.structuredContent) return result.structuredContent;
  const text = (result.content || []).find((part) => part.type === 'text');
  try {
    return JSON.parse(text.text);
  } catch {
    return { ok: false, error: { message: text ? text.text : 'The answer could not be read.' } };
  }
}

function answerRows(answer) {
  return Object.entries(answer)
    .filter(([, value]) => typeof value !== 'object')
    .map(([field, value]) => ({ record: 'answer', field, before: '\\u2014', after: String(value) }));
}

function titleOf({ operation, rows, counted }) {
  const records = counted || new Set(rows.map(({ record }) => record)).size;
  const words = operation.replaceAll('_', ' ');
  return words[0].toUpperCase() + words.slice(1) + (records > 1 ? ': ' + records + ' records' : '');
}

function show(result) {
  const { ok, data, error } = envelopeOf(result);
  if (!ok) return say(error.message);
  preview = data;
  at('title').textContent = titleOf(data);
  fill(data.rows.length > 0 ? data.rows : answerRows(data.answer));
  const notes = at('notes');
  notes.replaceChildren();
  for (const note of notesOf(data)) add(notes, 'li', note);
  notes.hidden = notes.children.length === 0;
  at('actions').hidden = false;
  at('apply').hidden = !host.serverTools;
  disable(false);
  const until = new Date(data.expiresAt).toLocaleTimeString();
  say('Nothing was changed yet. It can be applied until ' + until + '.' +
    (host.serverTools ? '' : ' Ask the assistant to apply it.'));
}

function end(text) {
  at('actions').hidden = true;
  say(text);
  if (!host.updateModelContext) return;
  const { previewId, operation } = preview;
  const said = 'The person used the page of preview ' + previewId + ' (' + operation + '): ' + text;
  request('ui/update-model-context', { content: [{ type: 'text', text: said }] }).catch(() => undefined);
}

function outcomeOf(data) {
  const counted = ['updated', 'unchanged', 'sent', 'blocked', 'failed', 'pending']
    .filter((name) => data[name] > 0 || (data[name] === 0 && ['updated', 'sent'].includes(name)))
    .map((name) => data[name] + ' ' + name);
  const text = counted.length > 0 ? counted.join(', ') : titleOf(preview).replace(/: .*/, '') + ': done';
  const warnings = (data.warnings || []).map((warning) => ' ' + warning + '.');
  return text + '.' + warnings.join('');
}

async function apply() {
  disable(true);
  say('Applying\\u2026');
  try {
    const called = { name: 'apply_change', arguments: { previewId: preview.previewId } };
    const { ok, data, error } = envelopeOf(await request('tools/call', called));
    if (ok) return end(outcomeOf(data));
    say('Not applied: ' + error.message);
  } catch (error) {
    say('Not applied: ' + error.message);
  }
  disable(false);
}

function receive({ source, data }) {
  if (source !== parent || !data || data.jsonrpc !== '2.0') return;
  const { id, method, params, result, error } = data;
  if (method === undefined) {
    const { resolve, reject } = waiting.get(id) || {};
    waiting.delete(id);
    if (resolve) error ? reject(error) : resolve(result);
  } else if (method === 'ui/notifications/tool-result') show(params);
  else if (method === 'ui/notifications/tool-cancelled') say('The preview was cancelled.');
  else if (method === 'ui/notifications/host-context-changed') wear(params);
  else if (id === undefined) return;
  else if (method === 'ping' || method === 'ui/resource-teardown') post({ id, result: {} });
  else post({ id, error: { code: -32601, message: 'Method not found' } });
}

function wear({ theme } = {}) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}

async function start() {
  addEventListener('message', receive);
  at('apply').addEventListener('click', apply);
  at('cancel').addEventListener('click', () => end('Cancelled: nothing was changed.'));
  const answer = await request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'shop-preview', version: '1.0.0' },
    appCapabilities: {},
  });
  host = answer.hostCapabilities || {};
  wear(answer.hostContext);
  notify('ui/notifications/initialized');
  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    notify('ui/notifications/size-changed', { width, height });
  }).observe(document.body);
}

start().catch((error) => say('The host did not answer: ' + error.message));
`;
