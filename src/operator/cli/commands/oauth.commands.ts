import { Apps } from '../../../people/apps/apps.service.js';
import { clientMetadata, ClientRefused, isLoopback } from '../../../people/apps/client-metadata.js';
import { Connections } from '../../../people/apps/connections.service.js';
import { invalidInput, notFound } from '../../../platform/errors.js';
import { parseUrl } from '../../../platform/text/url.js';
import { Stores } from '../../../stores/stores.service.js';
import { type CommandCall, type Commands, UsageError } from '../command.js';
import { inStore } from '../in-store.js';

const ofClient = (_: unknown, { client, ...details }: { client: string }) => ({
  target: `client:${client}`,
  details,
});

/**
 * Commands for the apps that may request access, and for the connections of a store (docs/behaviour.md §15).
 */
export const COMMANDS = {
  'oauth client add': {
    recorded: (_, { id, redirectUris }: { id: string; redirectUris: string[] }) => ({
      target: `client:${id}`,
      details: { redirectUris },
    }),
    async run({ app, options }) {
      const name = (options.name as string).trim();
      if (name === '') throw invalidInput('name must be a string of at least 1 character');
      const redirectUris = (options['redirect-uris'] as string).split(',').map((uri) => uri.trim());
      const wrong = redirectUris.find((uri) => !isCallback(uri));
      if (wrong !== undefined)
        throw invalidInput(`redirect-uris must be https, or loopback, without a fragment: ${wrong}`);
      try {
        const id = await app
          .get(Apps)
          .add(clientMetadata({ client_name: name, redirect_uris: redirectUris }));
        return { id, name, redirectUris };
      } catch (error) {
        throw error instanceof ClientRefused ? invalidInput(error.message) : error;
      }
    },
  },
  'oauth client block': {
    recorded: ofClient,
    async run({ app, options }) {
      const client = clientOf(options);
      await app.get(Apps).block(client);
      return { client, endedConnections: await app.get(Connections).endAllOf(client) };
    },
  },
  'oauth client unblock': {
    recorded: ofClient,
    async run({ app, options }) {
      const client = clientOf(options);
      return { client, unblocked: await app.get(Apps).unblock(client) };
    },
  },
  'oauth connections': {
    async run({ app, options }) {
      const { storeId } = await app.get(Stores).operator(options.store as string);
      return app.get(Connections).list(storeId, null);
    },
  },
  'oauth revoke': {
    run: (call) =>
      inStore(call, 'connection.revoke', async (ctx) => {
        const id = call.options.id as string;
        if (!(await call.app.get(Connections).remove(ctx, id, null))) throw notFound('Connection', id);
        return { id, deleted: true };
      }),
  },
} satisfies Commands;

function isCallback(uri: string): boolean {
  const url = parseUrl(uri);
  return url !== null && url.hash === '' && (url.protocol === 'https:' || isLoopback(uri));
}

/** @throws UsageError unless exactly one of the two is given */
function clientOf({ id, host }: CommandCall['options']): string {
  if ((id === undefined) === (host === undefined)) throw new UsageError('Give either --id or --host');
  if (id !== undefined) {
    if (id === '') throw invalidInput('id must be a string of at least 1 character');
    return id as string;
  }
  // The host is parsed like the address of a client's document; otherwise the two could differ and the block
  // would have no effect.
  const { host: known, href } = parseUrl(`https://${host as string}`) ?? {};
  if (known && href === `https://${known}/`) return known;
  throw invalidInput(
    'host must be a host name as it stands in the address of a document, such as evil.example or ' +
      'evil.example:8443',
  );
}
