import type { PolicyVerdict } from '../engine';
import { type Attachment, isExpired, type Principal } from './principal';

/**
 * Which of the principal's policies apply now and from this address. A policy attached twice applies if one of the
 * attachments does.
 * @param only the policies that the caller's token allows; null: all
 */
export function policyVerdicts(
  principal: Principal,
  now: Date,
  ip: string | null,
  only: ReadonlySet<string> | null,
): PolicyVerdict[] {
  const verdicts = new Map<string, PolicyVerdict>();
  for (const attachment of principal.attachments) {
    if (verdicts.get(attachment.policy)?.verdict !== 'in force') {
      verdicts.set(attachment.policy, verdictOf(attachment, now, ip));
    }
  }
  const all = [...verdicts.values()];
  return only === null ? all : all.map((each) => narrowed(each, only));
}

const narrowed = (each: PolicyVerdict, only: ReadonlySet<string>): PolicyVerdict => {
  const leftOut = each.verdict === 'in force' && !only.has(each.policy);
  return leftOut ? { policy: each.policy, verdict: 'token' } : each;
};

function verdictOf(attachment: Attachment, now: Date, ip: string | null): PolicyVerdict {
  const { policy, until } = attachment;
  if (isExpired(attachment, now)) return { policy, verdict: 'expired' };
  if (!attachment.networks.holds(ip)) return { policy, verdict: 'address' };
  return until === null ? { policy, verdict: 'in force' } : { policy, verdict: 'in force', until };
}

/** What follows from the policies in force, before any rule is read. */
interface Standing {
  /** The policies in force. */
  readonly inForce: readonly string[];
  /** The policy whose `app_access` adds its rules, if any. */
  readonly app: string | undefined;
  readonly administrator: boolean;
  readonly needsTfa: boolean;
}

/**
 * A policy that requires a second factor does so for every token of the user: a token that omits the policy cannot
 * bypass it.
 */
export function standingOf(
  { attachments, satisfiesTfa }: Principal,
  policies: readonly PolicyVerdict[],
): Standing {
  const named = (...verdicts: PolicyVerdict['verdict'][]): string[] =>
    policies.filter(({ verdict }) => verdicts.includes(verdict)).map(({ policy }) => policy);
  const inForce = new Set(named('in force'));
  const ofUser = new Set(named('in force', 'token'));
  const needsTfa =
    !satisfiesTfa && attachments.some((each) => each.enforcesTfa && ofUser.has(each.policy));
  const serving = attachments.filter(({ policy }) => inForce.has(policy));
  const administrator = !needsTfa && serving.some((each) => each.administrator);
  const app = serving.find((each) => each.appAccess)?.policy;
  return { inForce: [...inForce], app, administrator, needsTfa };
}
