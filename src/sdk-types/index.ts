export { parseTypesCommand, runTypesCommand, USAGE } from './types-command';
