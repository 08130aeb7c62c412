import { startWith } from './start';
import { modulesOfClone } from './commands/team-project';

void startWith(() => modulesOfClone(process.argv.slice(2)));
