/* eslint-disable @typescript-eslint/no-require-imports -- Medusa reads CommonJS. */
// Medusa as its starter sets it up, without its admin pages. Its own in-memory modules replace Redis.
const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false, connection: { ssl: false } },
    http: {
      ...{ storeCors: 'http://localhost', adminCors: 'http://localhost', authCors: 'http://localhost' },
      ...{ jwtSecret: process.env.TOKEN, cookieSecret: process.env.TOKEN },
    },
  },
});
