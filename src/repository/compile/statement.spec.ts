import { and, Statement } from './statement';

describe('a statement', () => {
  it('numbers its parameters in the order of the text and names each once', () => {
    const statement = new Statement();
    const [one, two] = [statement.bind('a', 'text'), statement.bind(7, 'int4')];
    expect(statement.compiled(`SELECT ${two}, ${one}, ${two}`)).toEqual({
      text: 'SELECT $1::int4, $2::text, $1::int4',
      values: [7, 'a'],
    });
  });

  it('does not change parameters that are already in order', () => {
    const statement = new Statement();
    const [one, two] = [statement.bind('a', 'text'), statement.bind(7, 'int4')];
    expect(statement.compiled(`SELECT ${one}, ${two}, ${one}`)).toEqual({
      text: 'SELECT $1::text, $2::int4, $1::text',
      values: ['a', 7],
    });
  });

  it('distinguishes lists of numbers that JSON lacks', () => {
    const statement = new Statement();
    const lists = [[NaN], [Infinity], [NaN]].map((list) => statement.bind(list, 'float8[]'));
    expect(lists).toEqual(['$1::float8[]', '$2::float8[]', '$1::float8[]']);
  });

  it('drops the parameters of dropped conditions: PostgreSQL refuses unused ones', () => {
    const statement = new Statement();
    const dropped = and(`a = ${statement.bind('a', 'text')}`, 'FALSE');
    const kept = `b = ${statement.bind('b', 'text')}`;
    expect(statement.compiled(`SELECT WHERE ${dropped} OR ${kept}`)).toEqual({
      text: 'SELECT WHERE FALSE OR b = $1::text',
      values: ['b'],
    });
  });

  it('does not confuse the tenth parameter with the first', () => {
    const statement = new Statement();
    const all = Array.from({ length: 11 }, (_, index) => statement.bind(index, 'int4'));
    const { text, values } = statement.compiled(`${all[10]} ${all[0]}`);
    expect([text, values]).toEqual(['$1::int4 $2::int4', [10, 0]]);
  });

  it('has one parameter for a value and a cast, however often it is bound', () => {
    const statement = new Statement();
    const bound = [
      statement.bind('1', 'text'),
      statement.bind(1, 'int4'),
      statement.bind('1', 'uuid'),
      statement.bind('1', 'text'),
      statement.bind(1, 'text'),
      statement.bind([1], 'text'),
      statement.bind('[1]', 'text'),
      statement.bind([1], 'text'),
      statement.bind(null, 'text'),
    ];
    const { text, values } = statement.compiled(bound.join(' '));
    expect(text).toBe(
      '$1::text $2::int4 $3::uuid $1::text $4::text $5::text $6::text $5::text $7::text',
    );
    expect(values).toEqual(['1', 1, '1', 1, [1], '[1]', null]);
  });

  it('compares a long list with others only once, however often it is bound', () => {
    const statement = new Statement();
    const list = ['a', 'b'];
    const write = jest.spyOn(JSON, 'stringify');
    const bound = [list, list, ['a', 'b'], list].map((each) => statement.bind(each, 'text[]'));
    expect(write).toHaveBeenCalledTimes(2);
    write.mockRestore();
    expect(new Set(bound)).toEqual(new Set(['$1::text[]']));
  });

  it.each<[string, (statement: Statement) => string]>([
    [
      '65535 values',
      (statement) =>
        Array.from({ length: 65_536 }, (_, index) => statement.bind(index, 'int4')).join(),
    ],
    ['2000000 characters', () => 'x'.repeat(2_000_001)],
    ['1000 subqueries', () => 'EXISTS (SELECT 1)'.repeat(1_001)],
  ])('of more than %s is refused because of its size', (what, write) => {
    const statement = new Statement();
    const text = write(statement);
    expect(() => statement.compiled(text)).toThrow(`a statement of more than ${what}`);
  });
});
