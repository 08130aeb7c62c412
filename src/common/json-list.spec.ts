import { jsonList } from './json-list';

it.each([[[]], [['1']], [['1', '"a,b"']], [['{}', '[]', 'null', '"]"']]])(
  'A JSON list of %j has these members',
  (members: readonly string[]) => {
    expect(JSON.parse(jsonList(members))).toEqual(
      members.map((each) => JSON.parse(each) as unknown),
    );
  },
);
