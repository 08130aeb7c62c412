import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Rights } from '../../api/rights';
import { createUser } from '../../api/users';
import type { Faults } from '../../components/form';
import { checkSession } from '../../session/person';
import { faultsOf, missingIn } from './faults';
import { writableFields } from './values';

/**
 * Creates a user. Only a refusal tells which fields a project requires: those that the form does not have are added to
 * it then.
 * @param onCreated called with the e-mail address
 */
export function useCreation(rights: Rights, onCreated: (email: string) => void) {
  const queries = useQueryClient();
  const [faults, setFaults] = useState<Faults>({});
  const [required, setRequired] = useState<readonly string[]>([]);
  const writable = writableFields(rights);
  const creation = useMutation({
    mutationFn: createUser,
    onSuccess: (_, { email }) => onCreated(email),
    onError: (error) => {
      void checkSession(queries, error);
      const all = [...new Set([...required, ...missingIn(error)])];
      setRequired(all);
      setFaults(faultsOf(error, [...writable, ...all]));
    },
  });
  return { creation, faults, setFaults, required, fields: [...writable, ...required] };
}
