import { Module } from '@nestjs/common';
import { SettingsController } from './settings.controller.js';
import { Settings } from './settings.service.js';

@Module({
  controllers: [SettingsController],
  providers: [Settings],
})
export class SettingsModule {}
