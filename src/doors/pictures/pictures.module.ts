import { Module } from '@nestjs/common';
import { PictureTraffic } from './picture-traffic.js';
import { PicturesController } from './pictures.controller.js';

/** Uploaded pictures, where the installation has no bucket (docs/behaviour.md §10.3). */
@Module({ controllers: [PicturesController], providers: [PictureTraffic] })
export class PicturesModule {}
