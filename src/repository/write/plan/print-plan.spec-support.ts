import type { LinksPlan, Plan } from './plan';

/** The plan as lines of text, one for each thing that is done, in the order in which the walk does it. */
export function printPlan(plan: Plan | LinksPlan, link?: string): string[] {
  if (plan.action === 'link') return printLinks(plan);
  const { action, collection } = plan;
  if (plan.action === 'delete') return [`delete ${collection.name} ${plan.keys.join(', ')}`];
  return plan.rows.flatMap(({ key, fields, parents, lists }) => [
    ...parents.flatMap(({ field, row }) =>
      'key' in row ? [] : indented(`${field}: `, printPlan(row)),
    ),
    [action, collection.name, ...(key === undefined ? [] : [key]), `{${fields.join(', ')}}`]
      .concat(link === undefined ? [] : [`by ${link}`])
      .join(' '),
    ...lists.flatMap((list) => indented('', printPlan(list.plan, list.foreignKey))),
  ]);
}

function printLinks({ field, joining, leaving, made }: LinksPlan): string[] {
  const counts = `link ${field.name}: ${joining.length} join, ${leaving.length} leave`;
  return [...(made ? printPlan(made) : []), counts];
}

const indented = (label: string, lines: readonly string[]): string[] =>
  lines.map((line) => `  ${label}${line}`);
