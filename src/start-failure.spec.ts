import 'reflect-metadata';
import { Inject, Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { failureText } from './start-failure';

@Module({ imports: [undefined as never] })
class CircularModule {}

@Injectable()
class Payments {
  constructor(@Inject('Bank') readonly bank: object) {}
}

@Module({ providers: [Payments] })
class LackingModule {}

const told = async (module: Type): Promise<unknown> => {
  try {
    await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    return 'started';
  } catch (error) {
    return failureText(error);
  }
};

describe('What Nest cannot assemble is reported in a sentence, without a stack:', () => {
  it.each<[string, Type, string]>([
    [
      'modules that import each other',
      CircularModule,
      'Nest cannot create the CircularModule instance. The module at index [0] of the CircularModule "imports" array is undefined.',
    ],
    [
      'a provider that nobody provides',
      LackingModule,
      'Nest can\'t resolve dependencies of the Payments (?). Please make sure that the argument "Bank" at index [0] is available in the LackingModule module.',
    ],
  ])('%s', async (_, module, sentence) => {
    expect(await told(module)).toBe(sentence);
  });
});
