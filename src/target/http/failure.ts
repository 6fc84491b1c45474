/** Why a request came to nothing, in plain words. */
import { JestAdkError } from '../../support/errors';
import { redact } from '../../support/secrets';

/** What is known of a request that failed. */
export interface FailureDetails {
  /** `http_status`, `http_redirect`, `http_refused`, `http_reset`, `http_dns`, `http_unreachable`, `http_tls`, `http_protocol`, `http_timeout`, `http_aborted`, `http_too_large`, `http_answer` */
  readonly code: string;
  /** What happened, without the request: `answered 500 Internal Server Error: …` */
  readonly reason: string;
  readonly hint?: string;
  readonly status?: number;
  /** The answer's Retry-After header. */
  readonly retryAfter?: string;
}

/** A request that failed; `reason` is the message without the request that it was. */
export class RequestFailure extends JestAdkError {
  readonly reason: string;
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;

  /** @param request  method and path, as `POST /run` */
  constructor(request: string, { code, reason, hint, status, retryAfter }: FailureDetails, cause?: unknown) {
    super(code, [{ code, message: `${request} ${reason}${/[.!?…]$/.test(reason) ? '' : '.'}`, ...(hint === undefined ? {} : { hint }) }], { cause });
    this.reason = redact(reason);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

const untrusted = 'If you trust it, name its authority in NODE_EXTRA_CA_CERTS.';

/** System and TLS errors by code: what they mean here. Source: Node's and OpenSSL's lists of errors. */
const meanings: Readonly<Record<string, Pick<FailureDetails, 'code' | 'reason' | 'hint'>>> = {
  ECONNREFUSED: { code: 'http_refused', reason: 'found nobody listening: the connection was refused', hint: 'Is the server running, and is the port right?' },
  ECONNRESET: { code: 'http_reset', reason: 'failed: the server closed the connection' },
  EPIPE: { code: 'http_reset', reason: 'failed: the server closed the connection' },
  ENOTFOUND: { code: 'http_dns', reason: 'failed: there is no host of that name', hint: 'Check the URL.' },
  EAI_AGAIN: { code: 'http_dns', reason: 'failed: the name of the host could not be looked up', hint: 'Is there a network?' },
  ETIMEDOUT: { code: 'http_unreachable', reason: 'failed: no connection came about in the time the system gives it' },
  EHOSTUNREACH: { code: 'http_unreachable', reason: 'failed: there is no way to the host' },
  ENETUNREACH: { code: 'http_unreachable', reason: 'failed: there is no way to the host’s network' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { code: 'http_tls', reason: 'failed: the certificate is signed by the server itself', hint: untrusted },
  SELF_SIGNED_CERT_IN_CHAIN: { code: 'http_tls', reason: 'failed: the certificate comes from an authority that is not trusted here', hint: untrusted },
  UNABLE_TO_GET_ISSUER_CERT: { code: 'http_tls', reason: 'failed: the issuer of the certificate is not known here', hint: untrusted },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { code: 'http_tls', reason: 'failed: the issuer of the certificate is not known here', hint: untrusted },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { code: 'http_tls', reason: 'failed: the issuer of the certificate is not known here', hint: untrusted },
  CERT_HAS_EXPIRED: { code: 'http_tls', reason: 'failed: the certificate has expired' },
  CERT_NOT_YET_VALID: { code: 'http_tls', reason: 'failed: the certificate is not valid yet', hint: 'Is the clock right?' },
  ERR_TLS_CERT_ALTNAME_INVALID: { code: 'http_tls', reason: 'failed: the certificate is for another host' },
  EPROTO: { code: 'http_tls', reason: 'failed: the server does not answer in TLS', hint: 'Is the URL to begin with http://?' },
};

/**
 * What an error of a socket, of TLS or of the protocol means. `localhost` may stand for two addresses: their errors come in one.
 *
 * @param address  `host:port` that was asked
 * @param when     how far the request had come, where the server gives up on it
 */
export function connectionFailure(error: unknown, address: string, when = 'before it had answered'): FailureDetails {
  const { errors } = error as { readonly errors?: readonly unknown[] };
  const first = Array.isArray(errors) && errors.length > 0 ? errors[0] : error;
  const { code = '', message = String(first) } = first as NodeJS.ErrnoException;
  const where = `${code === '' ? '' : `${code}, `}${address}`;
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (meaning !== undefined) return { ...meaning, reason: `${meaning.reason}${meaning.code === 'http_reset' ? ` ${when}` : ''} (${where})` };
  if (code.startsWith('ERR_SSL')) return { code: 'http_tls', reason: `failed: the server does not answer in TLS (${where})`, hint: 'Is the URL to begin with http://?' };
  if (code.startsWith('HPE_')) return { code: 'http_protocol', reason: `failed: the answer is no HTTP (${where})`, hint: 'Does another kind of server listen there, or is the URL to begin with https://?' };
  return { code: 'http_failed', reason: `failed: ${message} (${where})` };
}
