import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { Settings } from './settings.entity';

@Module({ imports: [CollectionsModule.forFeature([Settings], { system: true, path: 'settings' })] })
export class SettingsModule {}
