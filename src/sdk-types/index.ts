export { parseTypesCommand, runTypesCommand, type TypesCommand, USAGE } from './types-command';
