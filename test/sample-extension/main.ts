import { start } from 'doorward';
import { SampleModule } from './sample.module';

void start([SampleModule]);
