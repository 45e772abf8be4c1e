import { Module } from '@nestjs/common';
import { McpController } from './mcp.controller.js';
import { McpServing } from './mcp-serving.js';
import { ToolCalls } from './tool-calls.js';
import { Tools } from './tools.js';

/** The operations as tools for models, at /mcp. It uses only the registry. */
@Module({ controllers: [McpController], providers: [McpServing, ToolCalls, Tools] })
export class McpModule {}
