import { Module } from '@nestjs/common';
import { SettingsController } from './settings.controller.js';
import { Settings } from './settings.service.js';

@Module({
  controllers: [SettingsController],
  providers: [Settings],
  exports: [Settings],
})
export class SettingsModule {}
