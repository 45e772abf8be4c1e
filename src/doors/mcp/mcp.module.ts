import { Module } from '@nestjs/common';
import { Apps } from './apps/apps.service.js';
import { ConnectionText } from './connection/connection-text.service.js';
import { McpController } from './mcp.controller.js';
import { McpServing } from './mcp-serving.js';
import { Person } from './person.service.js';
import { Prompts } from './prompts/prompts.service.js';
import { ToolCalls } from './tool-calls.js';
import { Tools } from './tools.js';

/** The operations as tools for models, at /mcp. It uses only the registry. */
@Module({
  controllers: [McpController],
  providers: [Apps, ConnectionText, McpServing, Person, Prompts, ToolCalls, Tools],
})
export class McpModule {}
