import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BonusHistory } from './bonus-history.service.js';
import { BonusLedger } from './bonus-ledger.service.js';
import { Customer } from './customer.entity.js';
import { CustomerReferences } from './references/customer-references.service.js';
import { CustomersController } from './customers.controller.js';
import { CustomerExport } from './customer-export.service.js';
import { CustomerSearch } from './finding/customer-search.service.js';
import { CustomersService } from './customers.service.js';
import { FirstContact } from './first-contact.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Customer])],
  controllers: [CustomersController],
  providers: [
    BonusHistory,
    BonusLedger,
    CustomerExport,
    CustomerReferences,
    CustomerSearch,
    CustomersService,
    FirstContact,
  ],
  exports: [BonusHistory, BonusLedger, CustomerExport, CustomerReferences, CustomersService, FirstContact],
})
export class CustomersModule {}
