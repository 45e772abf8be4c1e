import { Module } from '@nestjs/common';
import { MonetizationController } from './monetization.controller.js';
import { MonetizationService } from './monetization.service.js';

@Module({
  controllers: [MonetizationController],
  providers: [MonetizationService],
  exports: [MonetizationService],
})
export class MonetizationModule {}
