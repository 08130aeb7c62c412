import { useQuery } from '@tanstack/react-query';
import type { Person } from '../api/auth';
import { readRights } from '../api/rights';

/** Loads what the signed-in user may do on these pages. */
export const useRights = ({ id }: Person) =>
  useQuery({ queryKey: ['rights', id], queryFn: readRights });
