import { GoTo } from '../../parts/go-to';
import { words } from '../../words/all';
import { useDraft } from './draft';

/** Leads from an interrupted campaign to where this browser can send the rest of it. */
export function RestLink({ campaignId }: { campaignId: string }) {
  const isLeft = useDraft()?.left?.some((part) => part.campaignId === campaignId);
  return isLeft && <GoTo to="campaigns/new">{words.campaigns.sendRest}</GoTo>;
}
