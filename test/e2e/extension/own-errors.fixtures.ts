import {
  BadRequestException,
  Body,
  type CanActivate,
  ConflictException,
  Controller,
  Get,
  HttpException,
  Injectable,
  Module,
  NotFoundException,
  ParseIntPipe,
  Param,
  Post,
  ServiceUnavailableException,
  type Type,
  UseGuards,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { Args, Mutation, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { IsEmail, IsInt, IsString } from 'class-validator';
import {
  Collection,
  type CollectionHooks,
  CollectionsModule,
  defineError,
  Field,
  HooksOf,
  type Payload,
  Public,
  TypeDefs,
} from 'doorward';

@Collection('orders')
class Order {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}

const SECRET = 'password=hunter2 in /srv/app';
/** An error like those of the package http-errors. */
const httpError = (status: number, expose: boolean, message: string): Error =>
  Object.assign(new Error(message), { status, statusCode: status, expose });

const Broken = defineError<{ file: string }>('BROKEN', 500, ({ file }) => `Cannot read ${file}`);
const Unreached = defineError<{ host: string }>('UNREACHED', 502, ({ host }) => `No ${host}`);
const TillsTaken = defineError('TILLS_TAKEN', 503, 'All tills are taken.', () => ({
  'Retry-After': '5',
}));
const OutOfStock = defineError('OUT_OF_STOCK', 409, 'There is none left.');

/** Its code is a property of the class. */
class Locked extends HttpException {
  readonly code = 'ORDER_LOCKED';

  constructor() {
    super('The order is locked.', 423);
  }
}

const circular: { self?: object } = {};
circular.self = circular;
const ownCause = new Error('of itself');
ownCause.cause = ownCause;

const THROWN: Record<string, () => unknown> = {
  missing: () => new NotFoundException('No such invoice'),
  conflict: () => new ConflictException('Already paid'),
  bad: () => new BadRequestException('Cannot be paid twice'),
  teapot: () => new HttpException('Short and stout', 418),
  bare: () => new NotFoundException(),
  coded: () => new ConflictException({ message: 'Gone on', code: 'INVOICE_GONE', invoice: 5 }),
  errorCode: () => new ConflictException('Twice', { errorCode: 'PAID_TWICE' }),
  badCode: () => new ConflictException({ message: 'Odd', code: 'not a code' }),
  subclass: () => new Locked(),
  circular: () => new ConflictException({ message: 'Round', circular }),
  wrapping: () => new BadRequestException('Unreadable', { cause: new SyntaxError(SECRET) }),
  own: () => new OutOfStock({}),
  unheard: () => new HttpException('Of no name', 460),
  tillsTaken: () => new TillsTaken({}),
  httpMissing: () => httpError(404, true, 'No such shelf'),
  httpDenied: () => httpError(401, true, 'Show your badge'),
  // Internal errors, of which callers get no details.
  unavailable: () => new ServiceUnavailableException(SECRET),
  gateway: () => new HttpException(SECRET, 502),
  plain: () => new Error(SECRET, { cause: new Error(SECRET) }),
  string: () => SECRET,
  nothing: () => undefined,
  fine: () => new HttpException(SECRET, 200),
  moved: () => new HttpException(SECRET, 302),
  nonsense: () => new HttpException(SECRET, 12.5),
  ownCause: () => ownCause,
  ownFault: () => new Broken({ file: SECRET }),
  ownGateway: () => new Unreached({ host: SECRET }),
  httpHidden: () => httpError(404, false, SECRET),
  httpGateway: () => httpError(502, false, SECRET),
};

const thrown = (name: string): unknown => (THROWN[name] ?? (() => new Error('unknown')))();

@Injectable()
class ThrowingGuard implements CanActivate {
  canActivate(): never {
    throw new ConflictException('Not today');
  }
}

/** The parts of `class-transformer` that a `ValidationPipe` needs; it is not among our packages. */
const transformerPackage = {
  plainToInstance: <T>(type: Type<T>, sent: unknown): T =>
    Object.assign(new type() as object, sent) as T,
  classToPlain: (value: object): object => value,
};

class Payment {
  @IsEmail() payer!: string;
  @IsInt() amount!: number;
  @IsString({ message: 'Say what it is for' }) purpose!: string;
}

@Controller('throwing')
@Public()
class ThrowingController {
  @Get('guarded')
  @UseGuards(ThrowingGuard)
  guarded(): string {
    return 'never';
  }

  @Get('number/:id')
  number(@Param('id', ParseIntPipe) id: number): object {
    return { data: id };
  }

  @Post('payments')
  @UsePipes(new ValidationPipe({ transformerPackage }))
  pay(@Body() payment: Payment): object {
    return { data: payment.amount };
  }

  @Post('unprocessable')
  @UsePipes(new ValidationPipe({ transformerPackage, errorHttpStatusCode: 422 }))
  process(@Body() payment: Payment): object {
    return { data: payment.amount };
  }

  @Get(':name')
  throw(@Param('name') name: string): never {
    throw thrown(name);
  }
}

@Resolver('thing')
@TypeDefs({
  endpoint: 'items',
  sdl: `
    type thing { throwing(name: String!): String! }
    extend type Query { throwing(name: String!): String guarded: String thing: thing }
    extend type Mutation { pay(payer: String, amount: Int, purpose: String): String }`,
})
@Public()
class ThrowingResolver {
  @Query('throwing')
  throw(@Args('name') name: string): never {
    throw thrown(name);
  }

  @Query('guarded')
  @UseGuards(ThrowingGuard)
  guarded(): string {
    return 'never';
  }

  @Query('thing')
  thing(): object {
    return {};
  }

  @ResolveField('throwing')
  part(@Args('name') name: string): never {
    throw thrown(name);
  }

  @Mutation('pay')
  @UsePipes(new ValidationPipe({ transformerPackage }))
  pay(@Args() payment: Payment): string {
    return payment.payer;
  }
}

@HooksOf(Order)
class OrderHooks implements CollectionHooks {
  beforeCreate({ title }: Payload): Payload {
    if (title === 'returns a list') return [] as unknown as Payload;
    if (title === 'returns a text') return 'title' as unknown as Payload;
    throw thrown(String(title));
  }
}

/** All the ways in which a team's code may throw. */
@Module({
  imports: [CollectionsModule.forFeature([Order])],
  controllers: [ThrowingController],
  providers: [ThrowingResolver, OrderHooks, ThrowingGuard],
})
export class ThrowingModule {}
