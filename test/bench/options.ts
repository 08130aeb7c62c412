import { parseArgs } from 'node:util';

export interface Options {
  /** The names of lines; empty: all. */
  readonly only: readonly string[];
  /** How long each server of a line is measured, in total. */
  readonly seconds: number;
  /** The number of rounds, each with floor and service one after the other. */
  readonly rounds: number;
  readonly warmUp: number;
  readonly connections: number;
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: '12' },
      rounds: { type: 'string', default: '3' },
      'warm-up': { type: 'string', default: '5' },
      connections: { type: 'string', default: '50' },
    },
  });
  return {
    only: values.only.split(',').filter((name) => name !== ''),
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    warmUp: positive('warm-up', values['warm-up']),
    connections: positive('connections', values.connections),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return value;
}
