import { useQuery } from '@tanstack/react-query';
import type { Person } from '../../api/auth';
import { listRoles, type RoleList } from '../../api/users';
import { SelectField } from '../../components/select-field';

const NO_ROLE = { value: '', label: 'No role' };

export function RoleField({ person }: { readonly person: Person }) {
  const list = useQuery({ queryKey: ['roles', person.id], queryFn: listRoles });
  const roles = list.data?.roles.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const hint = list.isError ? NOT_LOADED : hintOf(list.data);
  return (
    <SelectField name="role" label="Role" options={[NO_ROLE, ...roles]} hint={hint} isOptional />
  );
}

const NOT_LOADED = 'The roles could not be loaded. Load the page again to choose one.';

function hintOf(list: RoleList | undefined): string | undefined {
  if (!list) return 'The roles are being loaded…';
  const { length } = list.roles;
  return list.total > length ? `These are the first ${length} roles by name.` : undefined;
}
