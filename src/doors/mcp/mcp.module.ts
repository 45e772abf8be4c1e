import { Module } from '@nestjs/common';
import { ActivityModule } from '../../groups/activity/activity.module.js';
import { NoticesModule } from '../../notices/notices.module.js';
import { Apps } from './apps/apps.service.js';
import { ConnectionText } from './connection/connection-text.service.js';
import { McpController } from './mcp.controller.js';
import { McpServing } from './mcp-serving.js';
import { Person } from './person.service.js';
import { Prompts } from './prompts/prompts.service.js';
import { ToolCalls } from './tool-calls.js';
import { Tools } from './tools.js';

/** The operations as tools for models, at /mcp, which are called through the registry. */
@Module({
  imports: [ActivityModule, NoticesModule],
  controllers: [McpController],
  providers: [Apps, ConnectionText, McpServing, Person, Prompts, ToolCalls, Tools],
})
export class McpModule {}
