import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Promocode } from './promocode.entity.js';
import { PromocodeUse } from './promocode-use.service.js';
import { PromocodesController } from './promocodes.controller.js';
import { PromocodesService } from './promocodes.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Promocode])],
  controllers: [PromocodesController],
  providers: [PromocodeUse, PromocodesService],
  exports: [PromocodesService, PromocodeUse],
})
export class PromocodesModule {}
