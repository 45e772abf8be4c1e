import { Module } from '@nestjs/common';
import { PagesController } from './pages.controller.js';

/** The dashboard that people see; what it asks for is the dashboard's API (doors/dashboard). */
@Module({ controllers: [PagesController] })
export class PagesModule {}
