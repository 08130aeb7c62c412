import { useQuery } from '@tanstack/react-query';
import type { Person } from '../api/auth';
import { readRights } from '../api/rights';

/** What this person may do here. */
export const useRights = ({ id }: Person) =>
  useQuery({ queryKey: ['rights', id], queryFn: readRights });
