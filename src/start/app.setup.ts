import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express, { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { Caps } from '../platform/caps/caps.js';
import { scriptsWithoutHeadersOfDocuments } from '../platform/http/document-headers.js';
import { Drain } from '../platform/http/drain.js';
import { Metrics } from '../platform/observability/metrics.js';
import { MetricsServer } from '../platform/observability/metrics-server.js';
import { requests } from '../platform/http/requests.js';
import { ShopExpressAdapter } from '../platform/http/shop-express.adapter.js';
import { NestLogger } from '../platform/logging/logger.js';
import { OperationError } from '../platform/errors.js';
import { startTracing } from '../platform/observability/tracing.js';
import type { PlatformOptions } from '../platform/foundations.js';

/** Builds the whole application, ready to listen. The service and the tests start the same one. */
export async function createApp(options: PlatformOptions): Promise<INestApplication> {
  await startTracing(options.config, options.log);
  const server = express();
  // Computing an ETag for the answer to a POST takes time and has no use.
  server.set('etag', false);
  server.set('x-powered-by', false);
  server.set('query parser', 'simple');
  // Names of operations are case-sensitive. The setting is read when the router is created, so it must be set
  // before Nest gets the server.
  server.set('case sensitive routing', true);
  const app = await NestFactory.create(AppModule.with(options), new ShopExpressAdapter(server), {
    bodyParser: false,
    logger: new NestLogger(options.log),
    abortOnError: false,
  });
  // Without this setting, browsers would fetch the files of the pages over https, which the service itself
  // does not offer.
  const headers = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  // These headers protect pages, so operations, which answer programs with JSON, do not need them.
  app.use(['/docs', '/dashboard', '/storefront/docs'], headers);
  app.use('/dashboard/api', scriptsWithoutHeadersOfDocuments);
  const { trustedProxies } = options.config;
  app.use(requests(options.log, app.get(Metrics), app.get(Drain), app.get(Caps), trustedProxies));
  if (!options.config.roles.web) app.use(probesOnly);
  const { metricsPort, host } = options.config;
  try {
    await app.init();
    if (metricsPort !== null) await app.get(MetricsServer).listen(metricsPort, host);
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

/** Lets a process that only delivers answer nothing but its probes and metrics. */
function probesOnly(request: Request, _response: Response, next: NextFunction): void {
  if (/^\/(health|metrics)(\/|$)/.test(request.path)) return next();
  throw new OperationError(
    'not_found',
    'This process only delivers webhooks; it serves /health and /metrics',
  );
}
