import { TrophyIcon } from '../../parts/icons';
import { resource } from '../../parts/lists/resource-group';
import { Badge, type Tone } from '../../parts/values/values';
import { date } from '../../parts/values/format';
import { words } from '../../words';

interface Contest {
  id: string;
  title: string;
  startDate: string;
  endDate: string;
  status: 'DRAFT' | 'ACTIVE' | 'ENDED' | 'CANCELLED';
}

const TONES: Record<Contest['status'], Tone> = {
  DRAFT: 'amber',
  ACTIVE: 'green',
  ENDED: 'grey',
  CANCELLED: 'grey',
};

export default resource<Contest>(
  'contests',
  { section: 'marketing', icon: <TrophyIcon />, order: 20 },
  {
    ...{
      list: 'list_contests',
      get: 'get_contest',
      create: 'create_contest',
      update: 'update_contest',
      remove: 'delete_contest',
    },
    columns: () => [
      'title',
      { key: 'period', label: words.contests.period, render: (contest) => <Period {...contest} /> },
      {
        key: 'status',
        label: words.orders.status,
        render: ({ status }) => <Badge tone={TONES[status]}>{words.contests.status[status]}</Badge>,
        onCard: 'head',
      },
      'bonusReward',
    ],
    words: () => words.contests,
  },
);

/** The first and last day, and the share of the time that has passed. */
function Period({ startDate, endDate }: Contest) {
  const [start, end] = [startDate, endDate].map((iso) => new Date(iso).getTime());
  const over = Math.min(1, Math.max(0, (Date.now() - start) / (end - start)));
  return (
    <>
      {date(startDate)} – {date(endDate)}
      <div
        className="meter"
        role="meter"
        aria-label={words.contests.period}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(over * 100)}
      >
        <div style={{ width: `${over * 100}%` }} />
      </div>
    </>
  );
}
