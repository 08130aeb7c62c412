import { startWith } from './start';
import { modulesOfClone } from './team-project';

void startWith(() => modulesOfClone(process.argv.slice(2)));
