import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type Endpoint, endpointOf } from '../../platform/call/endpoint.js';
import { isOperation } from '../../platform/call/operation.decorator.js';
import { OperationRegistry } from '../../platform/call/operation.registry.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { sessionCookieName } from '../dashboard/cookies.js';
import { type Documented, openApiDocument } from './openapi.document.js';
import { postmanCollection } from './postman.js';
import { dashboardPreface, OPERATIONS_PREFACE, type Preface, STOREFRONT_PREFACE } from './prefaces.js';
import { operationIdOf, tagOf } from './tags.js';

export const DOCUMENTED_DOORS = ['operations', 'dashboard', 'storefront'] as const;
export type DocumentedDoor = (typeof DOCUMENTED_DOORS)[number];

/** The OpenAPI documents, one for each door that others write programs for. */
@Injectable()
export class Documents {
  private readonly texts = new Map<DocumentedDoor, string>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly operations: OperationRegistry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws Error when two of its schemas would have one name */
  text(door: DocumentedDoor): string {
    let text = this.texts.get(door);
    if (text === undefined) {
      const document = openApiDocument(this.prefaceOf(door), this.endpointsOf(door), this.config.baseUrl);
      this.texts.set(door, (text = JSON.stringify(document)));
    }
    return text;
  }

  postmanCollection(): object {
    return postmanCollection(OPERATIONS_PREFACE, this.endpointsOf('operations'), this.config.baseUrl);
  }

  /** Operations by name, other endpoints in the order they are declared. */
  endpointsOf(door: DocumentedDoor): Documented[] {
    const found = this.discovery.getControllers().flatMap(({ metatype }) => {
      const methods = (metatype as { prototype: Record<string, object> }).prototype;
      return Object.getOwnPropertyNames(methods).flatMap((method) => {
        const endpoint = endpointOf(methods[method]);
        return endpoint?.door.name === door ? [this.documented(endpoint, (metatype as { name: string }).name, method)] : [];
      });
    });
    return door === 'operations' ? found.sort((a, b) => (a.operationId < b.operationId ? -1 : 1)) : found;
  }

  private prefaceOf(door: DocumentedDoor): Preface {
    if (door === 'operations') return OPERATIONS_PREFACE;
    if (door === 'storefront') return STOREFRONT_PREFACE;
    const names = this.operations.list().map(({ name }) => name);
    return dashboardPreface(sessionCookieName(this.config.baseUrl), names);
  }

  private documented(endpoint: Endpoint, controller: string, method: string): Documented {
    if (!isOperation(endpoint)) {
      return { endpoint, operationId: operationIdOf(controller, method), tags: [tagOf(controller)] };
    }
    const { name, beyond, description = endpoint.summary } = endpoint;
    const tags = [tagOf(this.operations.groupOf(name)), ...(beyond ? ['beyond'] : [])];
    return { endpoint: { ...endpoint, description }, operationId: name, tags };
  }
}
