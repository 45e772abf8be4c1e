import { Module } from '@nestjs/common';
import { BonusHistory } from './bonus-history.service.js';
import { BonusLedger } from './bonus-ledger.service.js';
import { CustomersController } from './customers.controller.js';
import { CustomerExport } from './customer-export.service.js';
import { CustomersService } from './customers.service.js';
import { FirstContact } from './first-contact.service.js';

@Module({
  controllers: [CustomersController],
  providers: [BonusHistory, BonusLedger, CustomerExport, CustomersService, FirstContact],
  exports: [BonusLedger, CustomerExport, CustomersService, FirstContact],
})
export class CustomersModule {}
