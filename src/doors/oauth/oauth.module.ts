import { type DynamicModule, Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { DocumentClient } from '../../platform/http/document-client.js';
import { Cookies } from '../dashboard/cookies.js';
import { AuthorizationController } from './authorization.controller.js';
import { AuthorizationServer } from './authorization-server.service.js';
import { ClientDocuments } from './client-documents.service.js';
import { ConnectController } from './connect.controller.js';
import { Consents } from './consents.service.js';
import { OauthErrorFilter } from './oauth-error.filter.js';
import { ResourceMetadataController } from './resource-metadata.controller.js';
import { Storage } from './storage.service.js';

/**
 * Lets people who sign in grant access to apps and agents, as an alternative to API tokens (docs/behaviour.md
 * §15).
 */
@Module({})
export class OauthModule {
  static with({ oauth }: Config): DynamicModule {
    if (!oauth.enabled) return { module: OauthModule };
    return {
      module: OauthModule,
      controllers: [ResourceMetadataController, AuthorizationController, ConnectController],
      providers: [
        {
          provide: DocumentClient,
          inject: [CONFIG],
          useFactory: ({ webhook }: Config) =>
            new DocumentClient({ allowPrivate: webhook.allowPrivateTargets }),
        },
        AuthorizationServer,
        ClientDocuments,
        Consents,
        Cookies,
        OauthErrorFilter,
        Storage,
      ],
    };
  }
}
