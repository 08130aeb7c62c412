import { Body, Controller, Get, Post } from '@nestjs/common';
import { Int, Query, Resolver } from '@nestjs/graphql';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm';

/** A table of the team's own data source. */
@Entity('ledger')
export class LedgerEntry {
  @PrimaryGeneratedColumn() id!: number;
  @Column('text') title!: string;
}

@Controller('ledger')
export class LedgerController {
  constructor(@InjectRepository(LedgerEntry) private readonly ledger: Repository<LedgerEntry>) {}

  @Get()
  list(): Promise<LedgerEntry[]> {
    return this.ledger.find();
  }

  @Post()
  note(@Body() { title }: { title: string }): Promise<LedgerEntry> {
    return this.ledger.save({ title });
  }
}

@Resolver()
export class LedgerResolver {
  constructor(@InjectRepository(LedgerEntry) private readonly ledger: Repository<LedgerEntry>) {}

  @Query(() => Int)
  ledger_size(): Promise<number> {
    return this.ledger.count();
  }
}
