import { Injectable } from '@nestjs/common';
import type { Queries } from '../database';
import type { Caller } from '../engine';

@Injectable()
export class Privileges {
  holdsAll(
    _tx: Queries,
    caller: Caller,
    _target: { user?: string; role?: string; policies?: readonly string[] },
  ): Promise<boolean> {
    return Promise.resolve(caller.administrator);
  }
}
