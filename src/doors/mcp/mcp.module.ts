import { Module } from '@nestjs/common';
import { McpController } from './mcp.controller.js';
import { McpServing } from './mcp-serving.js';
import { ToolCalls } from './tool-calls.js';
import { Tools } from './tools.js';

/** The operations for models, at /mcp, over the registry alone. */
@Module({ controllers: [McpController], providers: [McpServing, ToolCalls, Tools] })
export class McpModule {}
