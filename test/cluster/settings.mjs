// The settings of docs/operations.md as they are written, with other addresses: what is documented is what is
// tried.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8');

/**
 * @param replacements pairs of what stands there and what to write instead @throws Error when it does not
 * stand there
 */
export function written(language, mark, replacements) {
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.+?)\`\`\``, 'gs'))].map(
    ([, block]) => block,
  );
  const block = blocks.find((candidate) => candidate.includes(mark));
  if (!block) throw new Error(`docs/operations.md has no ${language} with ${mark}`);
  return replacements.reduce((settings, [old, value]) => {
    if (!settings.includes(old))
      throw new Error(`docs/operations.md: "${old}" is not in the settings any more`);
    return settings.replaceAll(old, value);
  }, block);
}

const versionOf = (program) =>
  execFileSync(program, ['--version'], { encoding: 'utf8' }).match(/\d+(\.\d+)+/)[0];
const isOlder = (version, than) => version.localeCompare(than, 'en', { numeric: true }) < 0;

/**
 * As the documentation says: before 3.0.3 an old leader may take the lock away from the new one in version 3
 * of etcd's interface.
 */
export const speaksOldEtcd = () => isOlder(versionOf('patroni'), '3.0.3');

export function patroni({ name, etcd, member, folder, bin, password }) {
  return written('yaml', 'synchronous_mode', [
    ...(speaksOldEtcd() ? [['etcd3:', 'etcd:']] : []),
    ['name: one', `name: ${name}`],
    ['10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379', etcd.join(',')],
    ['10.0.0.21', member],
    ['10.0.0.0/24', '10.88.0.0/24'],
    ['/var/lib/postgresql/15/main', `${folder}/data`],
    // Debian's folder of sockets belongs to the user postgres.
    ['/var/lib/postgresql/.pgpass', `${folder}/pgpass\n  parameters: { unix_socket_directories: '' }`],
    ['/usr/lib/postgresql/15/bin', bin],
    ['SECRET', password],
  ]);
}

export function haproxy({ port, members }) {
  return written('haproxy', 'listen database', [
    ['bind *:5432', `bind 127.0.0.1:${port}`],
    ...members.map((address, i) => [`10.0.0.2${i + 1}:5432`, `${address}:5432`]),
  ]);
}

export function pgbouncer({ port, server, users, user }) {
  // As the documentation says: transaction mode from 1.21 on, and in session mode a connection for each of
  // the processes'.
  const mode = isOlder(versionOf('pgbouncer'), '1.21') ? 'session' : 'transaction';
  const text = written('ini', 'pool_mode', [
    ['host=postgres port=5432', `host=127.0.0.1 port=${server}`],
    ['listen_addr = *', 'listen_addr = 127.0.0.1\nunix_socket_dir ='],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['/etc/pgbouncer/users.txt', users],
    ['auth_user = pgbouncer', `auth_user = ${user}`],
    ['pool_mode = transaction', `pool_mode = ${mode}`],
    ['default_pool_size = 20', `default_pool_size = ${mode === 'session' ? 100 : 20}`],
  ]);
  // PgBouncer takes no comments behind values, and before 1.21 not the number of prepared statements.
  return text.replace(/ +#.*$/gm, '').replace(mode === 'session' ? /^max_prepared_statements.*$/m : '', '');
}
