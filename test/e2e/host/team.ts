import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpException,
  Injectable,
  Module,
  Param,
  Post,
  Query,
  Req,
  type Type,
  UploadedFiles,
} from '@nestjs/common';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  Field as GqlField,
  GraphQLModule,
  ObjectType,
  Query as GqlQuery,
  Resolver,
} from '@nestjs/graphql';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { IsInt } from 'class-validator';
import {
  AcceptsBody,
  type Caller,
  Collection,
  CollectionsModule,
  CurrentCaller,
  DoorwardModule,
  Field,
  Public,
  RequirePermission,
  type Settings,
  SignedIn,
} from 'doorward';
import type { Request, Response } from 'express';
import { Column, type DataSource, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm';

/** A table of the team's own data source, which is unknown to us. */
@Entity('ledger')
export class Ledger {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('text')
  title!: string;
}

/** A Doorward collection in the team's application. */
@Collection('parcels')
export class Parcel {
  @Field.key('integer')
  id!: number;

  @Field.text()
  title!: string;
}

class Order {
  @IsInt()
  amount!: number;
}

@Controller('team')
class TeamController {
  constructor(@InjectRepository(Ledger) private readonly ledger: Repository<Ledger>) {}

  @Get('ledger')
  entries(): Promise<Ledger[]> {
    return this.ledger.find();
  }

  @Post('ledger')
  note(@Body() body: { title: string }): Promise<Ledger> {
    return this.ledger.save({ title: body.title });
  }

  @Post('echo')
  echo(@Body() body: unknown): object {
    return { body };
  }

  @Post('orders')
  order(@Body() order: Order): object {
    return { amount: order.amount, isOrder: order instanceof Order };
  }

  @Get('query')
  query(@Query() query: object): object {
    return query;
  }

  @Get('nothing')
  nothing(): void {}

  @Get('teapot')
  teapot(): never {
    throw new HttpException('short and stout', 418);
  }

  @Get('address')
  address(@Req() { ip, protocol }: Request): object {
    return { ip, protocol };
  }

  @Get('caller')
  caller(@CurrentCaller() caller: Caller): object {
    return { user: caller.user };
  }
}

@Controller('decorated')
class DecoratedController {
  @Get('open')
  @Public()
  async open(@CurrentCaller() caller: Caller): Promise<object> {
    return { user: caller.user, ip: caller.identity.ip };
  }

  @Get('parcels')
  @RequirePermission('read', 'parcels')
  parcels(@CurrentCaller() caller: Caller): object {
    return { user: caller.user };
  }

  @Post('raw')
  @Public()
  @AcceptsBody('raw', { limit: 1_000 })
  raw(@Body() body: Buffer): object {
    return { bytes: body.toString('utf8'), isBuffer: Buffer.isBuffer(body) };
  }

  @Post('form')
  @SignedIn()
  @AcceptsBody('form', { limit: 1_000 })
  form(@Body() body: object, @CurrentCaller() caller: Caller): object {
    return { body: { ...body }, user: caller.user };
  }

  @Post('files')
  @Public()
  @AcceptsBody('multipart', { limit: 10_000 })
  files(
    @Body() body: object,
    @UploadedFiles() files: { originalname: string; size: number }[],
  ): object {
    return {
      body: { ...body },
      files: files.map(({ originalname, size }) => [originalname, size]),
    };
  }

  @Get(':id')
  @Public()
  one(@Param('id') id: string): object {
    return { id };
  }
}

@ObjectType()
class Greeting {
  @GqlField()
  text!: string;
}

@Resolver()
class GreetingResolver {
  @GqlQuery(() => Greeting)
  greeting(): Greeting {
    return { text: 'hello' };
  }

  @GqlQuery(() => Greeting)
  @SignedIn()
  secret(@CurrentCaller() caller: Caller): Greeting {
    return { text: caller.user ?? 'nobody' };
  }
}

@Controller()
class MessagesController {
  @MessagePattern('double')
  double(@Payload() amount: number): number {
    return 2 * amount;
  }
}

@WebSocketGateway({ path: '/team/live' })
class LiveGateway {
  @SubscribeMessage('double')
  double(@MessageBody() amount: number): object {
    return { event: 'doubled', data: 2 * amount };
  }
}

/** As in Nest's documentation, with another body. */
@Catch()
@Injectable()
export class TeamFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const status = error instanceof HttpException ? error.getStatus() : 500;
    host.switchToHttp().getResponse<Response>().status(status).json({ team: status });
  }
}

@Module({ imports: [CollectionsModule.forFeature([Parcel])] })
class ParcelsModule {}

export function teamModule(
  dataSource: () => Promise<DataSource>,
  options: { settings: Settings; guard?: 'ours' | 'all' },
): Type {
  @Module({
    imports: [
      ParcelsModule,
      TypeOrmModule.forRootAsync({
        useFactory: () => ({ type: 'postgres' }),
        dataSourceFactory: dataSource,
      }),
      TypeOrmModule.forFeature([Ledger]),
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        path: '/team/graphql',
        autoSchemaFile: true,
        graphiql: false,
      }),
      DoorwardModule.forRootAsync({ useFactory: () => options }),
    ],
    controllers: [TeamController, DecoratedController, MessagesController],
    providers: [GreetingResolver, LiveGateway],
  })
  class TeamModule {}
  return TeamModule;
}
