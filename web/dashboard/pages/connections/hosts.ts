import { words } from '../../words/all';

type Texts = typeof words.agents.steps;

/** What to do, and the text to paste. */
export type Step = { code?: string } & ({ text: Exclude<keyof Texts, 'file'> } | { file: string });

export interface Host {
  /** Undefined for any other host. */
  name: string | undefined;
  /** Needs only the address; the person signs in on our page. */
  bySignIn: (url: string) => Step[];
  /** Uses an API token, if the host can send a header. */
  byToken?: (url: string, token: string) => Step[];
}

export const hostName = ({ name }: Host) => name ?? words.agents.other;

export function textOf(step: Step): string {
  const { steps } = words.agents;
  return 'file' in step ? steps.file(step.file) : steps[step.text];
}

const bearer = (token: string) => `Bearer ${token}`;
const json = (value: object) => JSON.stringify(value, null, 2);

/** How to add this service to each host (docs/connect-agents.md). */
export const HOSTS: Host[] = [
  {
    name: 'Claude',
    bySignIn: (url) => [{ text: 'claude' }, { text: 'paste', code: url }, { text: 'signIn' }],
  },
  {
    name: 'Claude Code',
    bySignIn: (url) => [
      { text: 'run', code: `claude mcp add --transport http shop ${url}` },
      { text: 'claudeCode' },
    ],
    byToken: (url, token) => [
      {
        text: 'run',
        code: `claude mcp add --transport http shop ${url} --header "Authorization: ${bearer(token)}"`,
      },
    ],
  },
  {
    name: 'ChatGPT',
    bySignIn: (url) => [{ text: 'chatGpt' }, { text: 'chatGptAddress', code: url }, { text: 'signIn' }],
  },
  {
    name: 'Cursor',
    bySignIn: (url) => [
      { file: '~/.cursor/mcp.json', code: json({ mcpServers: { shop: { url } } }) },
      { text: 'cursor' },
    ],
    byToken: (url, token) => [
      {
        file: '~/.cursor/mcp.json',
        code: json({ mcpServers: { shop: { url, headers: { Authorization: bearer(token) } } } }),
      },
    ],
  },
  {
    name: 'VS Code',
    bySignIn: (url) => [{ text: 'vsCode' }, { text: 'paste', code: url }, { text: 'vsCodeAllow' }],
    byToken: (url, token) => [
      {
        file: '.vscode/mcp.json',
        code: json({ servers: { shop: { type: 'http', url, headers: { Authorization: bearer(token) } } } }),
      },
    ],
  },
  {
    name: 'Codex',
    bySignIn: (url) => [
      { text: 'run', code: `codex mcp add shop --url ${url}` },
      { text: 'run', code: 'codex mcp login shop' },
      { text: 'signIn' },
    ],
  },
  {
    name: 'Gemini CLI',
    bySignIn: (url) => [
      { text: 'run', code: `gemini mcp add --transport http shop ${url}` },
      { text: 'gemini', code: '/mcp auth shop' },
      { text: 'signIn' },
    ],
    byToken: (url, token) => [
      {
        text: 'run',
        code: `gemini mcp add --transport http --header "Authorization: ${bearer(token)}" shop ${url}`,
      },
    ],
  },
  {
    name: undefined,
    bySignIn: (url) => [{ text: 'other', code: url }, { text: 'signIn' }],
    byToken: (url, token) => [
      { text: 'other', code: url },
      { text: 'header', code: `Authorization: ${bearer(token)}` },
    ],
  },
];
