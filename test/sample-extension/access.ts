import { cli } from 'doorward';
import { SampleModule } from './sample.module';

void cli([SampleModule]);
