import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { endpointOf, isOperation } from '../../platform/call/endpoint.js';
import { groupName } from '../../platform/call/operation.registry.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { sessionCookieName } from '../dashboard/cookies.js';
import { type Documented, openApiDocument } from './openapi.document.js';
import { postmanCollection } from './postman.js';
import { dashboardPreface, OPERATIONS_PREFACE, type Preface, STOREFRONT_PREFACE } from './prefaces.js';
import { operationIdOf, tagOf } from './tags.js';

export const DOCUMENTED_DOORS = ['operations', 'dashboard', 'storefront'] as const;
export type DocumentedDoor = (typeof DOCUMENTED_DOORS)[number];

/** The class of a controller, and the name of the module class that declares it. */
interface Declared {
  controller: { name: string; prototype: object };
  module: string;
}

/** The OpenAPI documents, one for each door that other programs call. */
@Injectable()
export class Documents {
  private readonly texts = new Map<DocumentedDoor, string>();
  private postman?: string;

  constructor(
    private readonly discovery: DiscoveryService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws Error if two schemas of the document would have the same name */
  text(door: DocumentedDoor): string {
    let text = this.texts.get(door);
    if (text === undefined) {
      this.texts.set(
        door,
        (text = JSON.stringify(documentOf(door, this.controllers(), this.config.baseUrl))),
      );
    }
    return text;
  }

  postmanText(): string {
    return (this.postman ??= JSON.stringify(
      postmanCollection(OPERATIONS_PREFACE, this.endpointsOf('operations'), this.config.baseUrl),
    ));
  }

  endpointsOf(door: DocumentedDoor): Documented[] {
    return documentedEndpoints(door, this.controllers());
  }

  private controllers(): Declared[] {
    return this.discovery
      .getControllers()
      .map(({ metatype, host }) => ({ controller: metatype as Declared['controller'], module: host!.name }));
  }
}

/**
 * Creates the document of a door from the declarations of its controllers, so that code can be generated
 * without a running service.
 */
export function documentOf(door: DocumentedDoor, controllers: Declared[], baseUrl: string): object {
  return openApiDocument(
    prefaceOf(door, controllers, baseUrl),
    documentedEndpoints(door, controllers),
    baseUrl,
  );
}

function prefaceOf(door: DocumentedDoor, controllers: Declared[], baseUrl: string): Preface {
  if (door === 'operations') return OPERATIONS_PREFACE;
  if (door === 'storefront') return STOREFRONT_PREFACE;
  const names = documentedEndpoints('operations', controllers).map(({ operationId }) => operationId);
  return dashboardPreface(sessionCookieName(baseUrl), names);
}

/** The endpoints of a door: operations by name, other endpoints in the order of their declaration. */
function documentedEndpoints(door: DocumentedDoor, controllers: Declared[]): Documented[] {
  const found = controllers.flatMap((declared) =>
    Object.entries(Object.getOwnPropertyDescriptors(declared.controller.prototype)).flatMap(
      ([method, { value }]) => {
        const documented =
          typeof value === 'function' ? documentedMethod(declared, method, value as object) : null;
        return documented?.endpoint.door.name === door ? [documented] : [];
      },
    ),
  );
  return door === 'operations' ? found.sort((a, b) => (a.operationId < b.operationId ? -1 : 1)) : found;
}

function documentedMethod(
  { controller, module }: Declared,
  method: string,
  handler: object,
): Documented | null {
  const endpoint = endpointOf(handler);
  if (!endpoint) return null;
  if (!isOperation(endpoint)) {
    return { endpoint, operationId: operationIdOf(controller.name, method), tags: [tagOf(controller.name)] };
  }
  const { name, beyond, description = endpoint.summary } = endpoint;
  const tags = [tagOf(groupName(module)), ...(beyond ? ['beyond'] : [])];
  return { endpoint: { ...endpoint, description }, operationId: name, tags };
}
