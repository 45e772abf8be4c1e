// The part of the conformance suite about authorization servers. It prints the address of a request for
// access, which a person would open; here a small browser does, signs in and allows it.
import { spawn } from 'node:child_process';

/**
 * @param command Node and the suite
 * @param owner { email, password } of somebody who owns a store
 * @returns how many checks passed
 * @throws Error when one did not, with all that was printed
 */
export async function authorizationConformance({ command, issuer, callbackPort, owner }) {
  const registered = await fetch(`${issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: ['http://127.0.0.1/callback'] }),
  });
  const { client_id: clientId } = await registered.json();
  const [node, ...suite] = command;
  const args = [
    'authorization',
    '--url',
    issuer,
    '--client-id',
    clientId,
    '-p',
    String(callbackPort),
    '--resource',
    `${issuer}/mcp`,
  ];
  const child = spawn(node, [...suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
  let printed = '';
  let opened = null;
  const heed = (data) => {
    printed += data;
    const [, address] = /(http\S+\/oauth\/authorize\?\S+)/.exec(printed) ?? [];
    if (address && !opened)
      opened = allow(issuer, address, owner).catch((error) => void (printed += `\n${error.stack}`));
  };
  child.stdout.on('data', heed);
  child.stderr.on('data', heed);
  const code = await new Promise((resolve) => child.on('close', resolve));
  await opened;
  const [, passed] = /^Total: (\d+) passed, 0 failed/m.exec(printed) ?? [];
  if (code !== 0 || !opened || !passed)
    throw new Error(`the authorization conformance ended with ${code}\n${printed}`);
  return Number(passed);
}

/** Opens the request, signs in, allows it, and goes on to the callback. */
async function allow(issuer, address, { email, password }) {
  const jar = new Map();
  const request = async (url, form) => {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        Origin: issuer,
        Cookie: [...jar].map((pair) => pair.join('=')).join('; '),
      },
      body: form && new URLSearchParams(form),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      jar.set(name, value);
    }
    return response;
  };
  const open = async (url, form) => {
    let response = await request(url, form);
    let at = new URL(url);
    while (response.status >= 300 && response.status < 400) {
      at = new URL(response.headers.get('location'), at);
      response = await request(at);
    }
    return { at, page: await response.text() };
  };
  const { at } = await open(address);
  const { page } = await open(`${at}/sign-in`, { email, password });
  const value = (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1];
  await open(at, { csrf: value('csrf'), store: value('store'), scope: 'read', decision: 'allow' });
}
