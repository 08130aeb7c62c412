import {
  createParamDecorator,
  type ExecutionContext,
  type PipeTransform,
  type Type,
} from '@nestjs/common';

const PARAMETERS = 'design:paramtypes';

type Pipe = PipeTransform | Type<PipeTransform>;
type Decorator = (...pipes: Pipe[]) => ParameterDecorator;

/**
 * A parameter decorator for what we provide, such as the caller. It hides the parameter's type from pipes: by the type,
 * an application's `ValidationPipe` with `validateCustomDecorators` would take the value for input, and copy it.
 * @param hides whether the type is hidden; all types by default
 */
export function providedParameter(
  factory: (data: unknown, context: ExecutionContext) => unknown,
  hides: (type: unknown) => boolean = () => true,
): Decorator {
  const provide = createParamDecorator(factory);
  return (...pipes) =>
    (target, method, index) => {
      if (method !== undefined) hideType(target, method, index, hides);
      provide(...pipes)(target, method, index);
    };
}

/** The compiler has declared the types before it calls decorators of parameters. */
function hideType(
  target: object,
  method: string | symbol,
  index: number,
  hides: (type: unknown) => boolean,
): void {
  const types = Reflect.getOwnMetadata(PARAMETERS, target, method) as unknown[] | undefined;
  if (!types || !hides(types[index])) return;
  Reflect.defineMetadata(PARAMETERS, types.with(index, Object), target, method);
}
