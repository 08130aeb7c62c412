import { types } from 'pg';

const asText = (value: string): string => value;
// The driver has no name for the type text[].
const TEXT_ARRAY = 1009 as Parameters<typeof types.getTypeParser>[0];

const NUMERIC = 1700;
const SHORT_TEXT_TYPES = [
  20, // bigint
  1082, // date
  1083, // time
  1114, // timestamp
  1184, // timestamptz
  1266, // timetz
];
/**
 * Times, bigint and numeric stay text, as PostgreSQL writes them: a JavaScript Date or number would lose digits, and
 * the API's form is decided above the driver.
 */
const TEXT_TYPES = new Set([NUMERIC, ...SHORT_TEXT_TYPES]);
/** Lists of those, and of text, varchar and uuid. */
const TEXT_ARRAY_TYPES = new Set([1016, 1231, 1182, 1183, 1115, 1185, 1270, 1009, 1015, 2951]);

/** Without quotes, escapes or nested lists. */
const PLAIN_LIST = /^\{[^{}"\\]+\}$/;

/** The driver's own parser reads each letter; most lists only need to be split. */
function parseTexts(text: string): unknown {
  const parts = PLAIN_LIST.test(text) ? text.slice(1, -1).split(',') : undefined;
  return parts && !parts.includes('NULL') ? parts : types.getTypeParser(TEXT_ARRAY)(text);
}

type TypeFormat = 'text' | 'binary';

export const typeParsers = {
  getTypeParser(oid: number, format?: TypeFormat): (value: string) => unknown {
    if (format !== 'binary' && TEXT_TYPES.has(oid)) return asText;
    if (format !== 'binary' && TEXT_ARRAY_TYPES.has(oid)) return parseTexts;
    return format === 'binary'
      ? types.getTypeParser(oid, 'binary')
      : types.getTypeParser(oid, 'text');
  },
};

/** Types whose values are always short. Any other may be long, such as a list or a type of an extension. */
const SHORT_TYPES = new Set([
  ...SHORT_TEXT_TYPES,
  16, // bool
  21, // smallint
  23, // integer
  26, // oid
  700, // real
  701, // double
  2950, // uuid
]);

const JSON_TYPES = new Set([
  114, // json
  199, // json[]
  3802, // jsonb
  3807, // jsonb[]
]);
/** As many characters are counted for an object or a list of JSON besides its own: an empty one takes up to 64 bytes. */
const WEIGHT_OF_NESTED = 16;
const BRACE = '{'.charCodeAt(0);
const BRACKET = '['.charCodeAt(0);

function weightOfJson(text: string): number {
  let weight = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BRACE || code === BRACKET) weight += WEIGHT_OF_NESTED;
  }
  return weight;
}

/**
 * The same, and each potentially long value is weighed before it is read.
 * @param weigh is called with its characters, and those that its objects and lists count as; if it throws, the
 * statement is refused and no more is read
 */
export const weighingParsers = (weigh: (characters: number) => void): typeof typeParsers => ({
  getTypeParser(oid, format) {
    const parse = typeParsers.getTypeParser(oid, format);
    if (SHORT_TYPES.has(oid)) return parse;
    const weightOf = JSON_TYPES.has(oid) ? weightOfJson : ({ length }: string): number => length;
    return (value) => {
      weigh(weightOf(value));
      return parse(value);
    };
  },
});
