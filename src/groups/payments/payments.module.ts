import { Module } from '@nestjs/common';
import { ReceivedPayments } from './received-payments.service.js';

@Module({ providers: [ReceivedPayments], exports: [ReceivedPayments] })
export class PaymentsModule {}
