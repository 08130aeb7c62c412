import { Collection, Field } from 'doorward';
import { Column, Entity } from 'typeorm';

const LEVELS = ['low', 'middle', 'high'] as const;

/** Its table has another name, and its columns have all types that need their own cast. */
@Collection('tickets', { table: 'helpdesk_tickets' })
export class Ticket {
  @Field.key('integer') id!: number;
  @Field.text({ length: 40 }) title!: string;
  @Field.enum(LEVELS, { type: 'helpdesk_level', default: 'low' }) level!: string;
  @Field.enum(LEVELS, { type: 'helpdesk_level', nullable: true }) wished!: string | null;
  @Field.array('text', { default: () => "'{}'" }) labels!: string[];
  @Field.array('integer', { nullable: true }) votes!: number[] | null;
  @Field.toOne('tickets', { nullable: true }) parent!: number | null;
  @Field.toMany('tickets', 'parent') children!: number[];
  @Field.manyToMany(() => Topic) topics!: Topic[];
  @Field.through(() => Topic, { collection: 'ticket_marks', near: 'ticket', far: 'topic' })
  marks!: Topic[];
}

@Collection('topics')
export class Topic {
  @Field.key('uuid') id!: string;
  @Field.text() name!: string;
  @Field.manyToMany('tickets', 'topics') tickets!: Ticket[];
}

@Collection('ticket_marks')
export class TicketMark {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Ticket, { onDelete: 'CASCADE' }) ticket!: Ticket;
  @Field.toOne(() => Topic, { onDelete: 'CASCADE' }) topic!: Topic;
}

@Entity('plain_things')
export class PlainThing {
  @Field.key('integer') id!: number;
  @Column({ nullable: true }) unexposed!: string;
}

@Collection('counters', { singleton: true })
export class Counter {
  @Field.key('integer') id!: number;
  @Field.integer({ default: 0 }) count!: number;
}

@Collection('unrouted')
export class Unrouted {
  @Field.key('integer') id!: number;
}
