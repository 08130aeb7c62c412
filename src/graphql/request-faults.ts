import { GraphQLError } from 'graphql';
import { type AppError, InvalidPayload, InvalidQuery } from '../common/errors';
import { beginningOf } from '../common/text-beginning';
import { GRAPHQL_LIMITS } from './limits';
import { valuePlace } from './value-place';

/** What graphql-js finds wrong with a request: the place, where it is known, and the reason. */
interface Fault {
  readonly field?: string;
  readonly reason: string;
}

const WRONG_TYPE = 'has a value of the wrong type';

/**
 * A document that is not valid.
 * @param error graphql-js's, to find the value that its message quotes
 */
export const faultOfDocument = (message: string, error?: unknown): AppError =>
  new InvalidQuery(
    misfit(message) ?? wrongLiteral(message, error) ?? { reason: withoutLiteral(message) },
  );

/** The value of a variable. */
export const faultOfVariable = (message: string): AppError =>
  new InvalidPayload(
    unknownField(message) ??
      missingVariable(message) ??
      wrongVariable(message) ?? { reason: withoutLiteral(message) },
  );

/** What the parser reports. It recurses as deep as the document, until its stack overflows. */
export function faultOfSyntax(message: string): AppError {
  if (message.startsWith('Syntax Error: Document contains more'))
    return new InvalidQuery({
      reason: `the document must hold at most ${GRAPHQL_LIMITS.tokens} words, values and signs (send values as variables)`,
    });
  const isSyntax = message.startsWith('Syntax Error');
  return new InvalidQuery({
    reason: isSyntax ? withoutLiteral(message) : 'the document is nested too deeply',
  });
}

/** How graphql-js says that a document does not fit the schema, and how we say it of the field. */
const MISFITS: readonly (readonly [RegExp, string])[] = [
  [
    /^Field "(?<of>\w{1,128})" argument "(?<field>\w{1,128})" of type "[^"]+" is required/,
    'is a required argument of',
  ],
  [/^Unknown argument "(?<field>\w{1,128})" on field "(?<of>[\w.]{1,256})"/, 'is no argument of'],
  [/^Cannot query field "(?<field>\w{1,128})" on type "(?<of>\w{1,128})"/, 'is no field of'],
  [/^Field "(?<field>\w{1,128})" is not defined by type "(?<of>\w{1,128})"/, 'is no field of'],
  [
    /^Field "(?<field>\w{1,128})" of type "\[?(?<of>\w{1,128})[\]!]*" must have a selection/,
    'has no selection of fields of',
  ],
  [
    /^Field "(?<field>\w{1,128})" must not have a selection since type "\[?(?<of>\w{1,128})/,
    'has a selection of fields, but is a',
  ],
];
const SUGGESTION = / Did you mean [^?]{1,500}\?$/;

function misfit(message: string): Fault | undefined {
  for (const [pattern, reason] of MISFITS) {
    const { field, of } = pattern.exec(message)?.groups ?? {};
    if (field === undefined) continue;
    const [suggestion] = SUGGESTION.exec(message) ?? [];
    const said = `${reason} ${of}`;
    return { field, reason: suggestion === undefined ? said : `${said}.${suggestion}` };
  }
  return undefined;
}

/** Behind the value that is quoted; bounded, so that no name takes long to match. */
const UNKNOWN_FIELD =
  /(?: at "([\w.[\]]{1,300})")?; Field "([^"]{1,128})" is not defined by type "\w{1,300}"\./;

/** A variable with a field that its type does not have. */
function unknownField(message: string): Fault | undefined {
  const [, variable] = /^Variable "(\$\w{1,128})" got invalid value/.exec(message) ?? [];
  const [, place = variable, field] = UNKNOWN_FIELD.exec(message.slice(-2 * MAX_CHARACTERS)) ?? [];
  if (place === undefined || field === undefined) return undefined;
  return { field, reason: `is no field of the variable ${place}` };
}

/** A variable that must be given, and is left out or null. */
function missingVariable(message: string): Fault | undefined {
  const [, field, isMissing] =
    /^Variable "(\$\w+)" of [^"]+ type "[^"]+" (?:(was not provided)|must not be null)\.$/.exec(
      message,
    ) ?? [];
  if (field === undefined) return undefined;
  return { field: cut(field), reason: isMissing ? 'is missing' : 'must not be null' };
}

/** Sent values are never sent back: where a message quotes a value, only its place is kept. */
function wrongVariable(message: string): Fault | undefined {
  const [, variable, place = variable] =
    /^Variable "(\$\w+)" (?:got|has) invalid (?:default )?value.*?(?: at "([\w.[\]]+)")?(?:;|$)/s.exec(
      message,
    ) ?? [];
  return place === undefined ? undefined : { field: fieldAt(place), reason: WRONG_TYPE };
}

const QUOTES =
  /cannot represent|Expected value of type|does not exist in|must be a string or a number/;

/** The same for a value in the document. */
function wrongLiteral(message: string, error: unknown): Fault | undefined {
  if (!QUOTES.test(message)) return wrongVariable(message);
  const place = error instanceof GraphQLError ? valuePlace(error) : undefined;
  return place === undefined
    ? { reason: `an argument ${WRONG_TYPE}` }
    : { field: fieldAt(place), reason: WRONG_TYPE };
}

/** As all other faults name it: `sort[1]` is `sort.1`. */
const fieldAt = (place: string): string => cut(place.replaceAll(/\[(\d+)\]/g, '.$1'));

/** Any other message. Of the literal at a syntax error only the kind is kept. */
const withoutLiteral = (message: string): string =>
  cut(message.replace(LITERAL, '$1').replace(/\.$/, ''));

const MAX_CHARACTERS = 500;

/** A message repeats names, and a name may be as long as the request. */
const cut = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${beginningOf(text, MAX_CHARACTERS)}…` : text;

const LITERAL = /\b((?:Block)?String|Int|Float) ".*"(?=\.?$)/s;
