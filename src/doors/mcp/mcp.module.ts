import { Module } from '@nestjs/common';
import { ConnectionText } from './connection/connection-text.service.js';
import { McpController } from './mcp.controller.js';
import { McpServing } from './mcp-serving.js';
import { Person } from './person.service.js';
import { ToolCalls } from './tool-calls.js';
import { Tools } from './tools.js';

/** The operations as tools for models, at /mcp. It uses only the registry. */
@Module({ controllers: [McpController], providers: [ConnectionText, McpServing, Person, ToolCalls, Tools] })
export class McpModule {}
