import { Injectable } from '@nestjs/common';
import {
  INVALID_PARAMS,
  type ListResourcesResult,
  ProtocolError,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../../platform/store/call.js';
import type { ToolSelection } from '../tool-selection.js';
import { Tools } from '../tools.js';
import { APP_TYPE, APPS } from './app-list.js';

/** The page may reach no address at all. */
const META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

/** Pages that hosts show beside the results of tools (the extension MCP Apps; docs/behaviour.md §8). */
@Injectable()
export class Apps {
  constructor(private readonly tools: Tools) {}

  list(principal: Principal, selection: ToolSelection): ListResourcesResult['resources'] {
    return this.offered(principal, selection).map(({ uri, name, title, description }) => ({
      ...{ uri, name, title, description, mimeType: APP_TYPE, _meta: META },
    }));
  }

  /** @throws ProtocolError for an unknown page */
  read(principal: Principal, selection: ToolSelection, uri: string): ReadResourceResult {
    const app = this.offered(principal, selection).find((known) => known.uri === uri);
    if (!app) {
      const message = `There is no resource ${uri.slice(0, 200)}; resources/list names those there are`;
      throw new ProtocolError(INVALID_PARAMS, message, { uri });
    }
    return { contents: [{ uri, mimeType: APP_TYPE, text: app.page, _meta: META }] };
  }

  private offered(principal: Principal, selection: ToolSelection) {
    const names = new Set(this.tools.callable(principal, selection).map(({ name }) => name));
    return APPS.filter(({ tool }) => names.has(tool));
  }
}
