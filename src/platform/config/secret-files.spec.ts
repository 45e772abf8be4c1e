import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from './config.js';
import { misspeltVariables } from './environment.js';

describe('a secret in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const KEY = Buffer.alloc(32, 7).toString('base64');
  const file = (name: string, content: string): string => {
    writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };

  it('is read instead of the variable, for the key, the addresses and the bucket', () => {
    const config = loadConfig({
      ENCRYPTION_KEY_FILE: file('key', `${KEY}\n`),
      DATABASE_URL_FILE: file('url', 'postgres://a:b@db.example/shop\n'),
      DATABASE_DIRECT_URL_FILE: file('direct', 'postgres://a:b@direct.example/shop'),
      DATABASE_REPLICA_URL_FILE: file('replica', 'postgres://a:b@replica.example/shop'),
      REDIS_URL_FILE: file('redis', 'redis://:secret@redis.example:6379'),
      SMTP_URL_FILE: file('smtp', 'smtp://a:b@mail.example:587'),
      OTEL_EXPORTER_OTLP_HEADERS_FILE: file('headers', 'authorization=Bearer%20secret\n'),
    });
    expect(config).toMatchObject({
      encryptionKeys: [KEY],
      databaseUrl: 'postgres://a:b@db.example/shop',
      databaseDirectUrl: 'postgres://a:b@direct.example/shop',
      databaseReplicaUrl: 'postgres://a:b@replica.example/shop',
      redisUrl: 'redis://:secret@redis.example:6379',
      smtp: { url: 'smtp://a:b@mail.example:587' },
      otlpHeaders: 'authorization=Bearer%20secret',
    });
  });

  it('is refused beside the variable; an empty variable counts as unset', () => {
    const url = file('url', 'postgres://a:b@db.example/shop');
    expect(() => loadConfig({ DATABASE_URL: 'postgres://x/y', DATABASE_URL_FILE: url })).toThrow(
      'DATABASE_URL: is set, and so is DATABASE_URL_FILE; set only one of them',
    );
    expect(loadConfig({ DATABASE_URL: '', DATABASE_URL_FILE: url, ENCRYPTION_KEY: KEY }).databaseUrl).toBe(
      'postgres://a:b@db.example/shop',
    );
  });

  it('is refused if it cannot be read, is empty, or is not valid, and its value is not shown', () => {
    const missing = path.join(folder, 'missing');
    expect(() => loadConfig({ REDIS_URL_FILE: missing })).toThrow(
      /REDIS_URL_FILE: could not be read: ENOENT/,
    );
    expect(() => loadConfig({ ENCRYPTION_KEY_FILE: file('none', '\n') })).toThrow(/none is empty/);
    const bad = () => loadConfig({ ENCRYPTION_KEY_FILE: file('bad', 'a-short-secret') });
    expect(bad).toThrow(/ENCRYPTION_KEY: must be 32 bytes/);
    expect(bad).not.toThrow(/a-short-secret/);
  });

  it('has a variable that is known, and whose misspelling is named', () => {
    expect(misspeltVariables(['DATABASE_URL_FILE'], { DATABASE_URL_FILE: 'x' })).toEqual([]);
    expect(misspeltVariables(['DATABASE_URL_FILE'], { DATABASE_URL_FIEL: 'x' })).toHaveLength(1);
  });
});
