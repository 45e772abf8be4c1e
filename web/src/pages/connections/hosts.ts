import { words } from '../../words';

export interface Step {
  text: string;
  /** The text to paste. */
  code?: string;
}

export interface Host {
  name: string;
  /** Needs only the address; the person signs in on our page. */
  bySignIn: (url: string) => Step[];
  /** Uses an API token, if the host can send a header. */
  byToken?: (url: string, token: string) => Step[];
}

const bearer = (token: string) => `Bearer ${token}`;
const json = (value: object) => JSON.stringify(value, null, 2);

/**
 * How to add this service to each host (docs/connect-agents.md). Called while drawing, because the texts are
 * in the reader's language.
 */
export function hosts(): Host[] {
  const { steps } = words.agents;
  return [
    {
      name: 'Claude',
      bySignIn: (url) => [{ text: steps.claude }, { text: steps.paste, code: url }, { text: steps.signIn }],
    },
    {
      name: 'Claude Code',
      bySignIn: (url) => [
        { text: steps.run, code: `claude mcp add --transport http shop ${url}` },
        { text: steps.claudeCode },
      ],
      byToken: (url, token) => [
        {
          text: steps.run,
          code: `claude mcp add --transport http shop ${url} --header "Authorization: ${bearer(token)}"`,
        },
      ],
    },
    {
      name: 'ChatGPT',
      bySignIn: (url) => [
        { text: steps.chatGpt },
        { text: steps.chatGptAddress, code: url },
        { text: steps.signIn },
      ],
    },
    {
      name: 'Cursor',
      bySignIn: (url) => [
        { text: steps.file('~/.cursor/mcp.json'), code: json({ mcpServers: { shop: { url } } }) },
        { text: steps.cursor },
      ],
      byToken: (url, token) => [
        {
          text: steps.file('~/.cursor/mcp.json'),
          code: json({ mcpServers: { shop: { url, headers: { Authorization: bearer(token) } } } }),
        },
      ],
    },
    {
      name: 'VS Code',
      bySignIn: (url) => [
        { text: steps.vsCode },
        { text: steps.paste, code: url },
        { text: steps.vsCodeAllow },
      ],
      byToken: (url, token) => [
        {
          text: steps.file('.vscode/mcp.json'),
          code: json({ servers: { shop: { type: 'http', url, headers: { Authorization: bearer(token) } } } }),
        },
      ],
    },
    {
      name: 'Codex',
      bySignIn: (url) => [
        { text: steps.run, code: `codex mcp add shop --url ${url}` },
        { text: steps.run, code: 'codex mcp login shop' },
        { text: steps.signIn },
      ],
    },
    {
      name: 'Gemini CLI',
      bySignIn: (url) => [
        { text: steps.run, code: `gemini mcp add --transport http shop ${url}` },
        { text: steps.gemini, code: '/mcp auth shop' },
        { text: steps.signIn },
      ],
      byToken: (url, token) => [
        {
          text: steps.run,
          code: `gemini mcp add --transport http --header "Authorization: ${bearer(token)}" shop ${url}`,
        },
      ],
    },
    {
      name: words.agents.other,
      bySignIn: (url) => [{ text: steps.other, code: url }, { text: steps.signIn }],
      byToken: (url, token) => [
        { text: steps.other, code: url },
        { text: steps.header, code: `Authorization: ${bearer(token)}` },
      ],
    },
  ];
}
