import { Module } from '@nestjs/common';
import { PagesController } from './pages.controller.js';

/** The pages of the dashboard, which call the dashboard's API (doors/dashboard). */
@Module({ controllers: [PagesController] })
export class PagesModule {}
