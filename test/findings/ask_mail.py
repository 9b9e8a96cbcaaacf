"""Asks pyspf, checkdmarc and dkimpy about the mail policies of zones that a name server has: questions come as JSON."""

import json
import logging
import sys
import warnings

import checkdmarc.bimi
import checkdmarc.dmarc
import checkdmarc.mta_sts
import checkdmarc.smtp_tls_reporting
import checkdmarc.spf
import checkdmarc.utils
import dkim
import dns.nameserver
import dns.resolver
import dns.tsigkeyring
import spf

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

get_txt_records = checkdmarc.spf.get_txt_records

# An address that no policy names, so that each check runs to the end.
SENDER = "203.0.113.99"


def ask_pyspf(kind, name, resolver):
    if kind != "spf":
        return None
    # strict=2 reports what receivers might read in several ways.
    query = spf.query(i=SENDER, s="postmaster@" + name, h="mail.example.net", strict=2, querytime=20)
    result, _, explanation = query.check()
    # "pass" means that a stranger may send, and "none" that there is no policy where one is meant to be.
    return [f"{result}: {explanation}"] if result in ("permerror", "temperror", "ambiguous", "pass", "none") else []


def ask_dkimpy(kind, name, resolver):
    if kind != "dkim":
        return None

    def txt(wanted, timeout=5):
        records = resolver.resolve(wanted.decode() if isinstance(wanted, bytes) else wanted, "TXT")
        return b"".join(list(records)[0].strings)

    try:
        _, bits, kind_of_key, *_ = dkim.load_pk_from_dns(name.encode() + b".", dnsfunc=txt)
    except dkim.KeyFormatError as error:
        # A revoked key is none to verify with, as it should be.
        return [] if "(b'')" in str(error) else [f"{type(error).__name__}: {error}"]
    except Exception as error:  # UnparsableKeyError, ValueError and more.
        return [f"{type(error).__name__}: {error}"]
    # What its verifier refuses by default.
    return [f"key of {bits} bits"] if kind_of_key == b"rsa" and bits < 1024 else []


def results_of(result):
    error = [result["error"]] if result.get("error") else []
    return error + [str(warning) for warning in result.get("warnings", [])]


def host_messages(host, resolver):
    """What the download of a policy would fail for."""
    try:
        resolver.resolve(host, "A")
        return []
    except Exception as error:
        return [f"cannot get the policy: {error}"]


def ask_checkdmarc(kind, name, resolver):
    if kind == "spf":
        return results_of(checkdmarc.spf.check_spf(name, resolver=resolver))
    if kind == "dmarc":
        return results_of(checkdmarc.dmarc.check_dmarc(name, resolver=resolver))
    if kind == "tlsrpt":
        return results_of(checkdmarc.smtp_tls_reporting.check_smtp_tls_reporting(name, resolver=resolver))
    # The checks of these two would go on and download the policy and the logo.
    if kind == "mta-sts":
        try:
            found = checkdmarc.mta_sts.query_mta_sts_record(name, resolver=resolver)
            messages = found["warnings"] + checkdmarc.mta_sts.parse_mta_sts_record(found["record"])["warnings"]
            return messages + host_messages("mta-sts." + name, resolver)
        except checkdmarc.mta_sts.MTASTSError as error:
            return [str(error)]
    if kind == "bimi":
        try:
            found = checkdmarc.bimi.query_bimi_record(name, resolver=resolver)
            dmarc = checkdmarc.dmarc.check_dmarc(name, resolver=resolver)
            parsed = checkdmarc.bimi.parse_bimi_record(
                found["record"], domain=name, parsed_dmarc_record=dmarc, http_timeout=0.5
            )
            return found["warnings"] + parsed["warnings"]
        except checkdmarc.bimi.BIMIError as error:
            return [str(error)]
    return None


def ask(program, question, port, secret):
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = [dns.nameserver.Do53Nameserver("127.0.0.1", port)]
    resolver.use_tsig(dns.tsigkeyring.from_text({question["key"]: secret}), question["key"])
    resolver.lifetime = 2
    # pyspf asks the resolver of the machine.
    dns.resolver.default_resolver = resolver
    # For explanations, it asks public resolvers unless it is given one.
    checkdmarc.spf.get_txt_records = lambda *words, **options: get_txt_records(
        *words, **{**options, "resolver": resolver}
    )
    # Its cache does not know of name servers.
    checkdmarc.utils.DNS_CACHE.clear()
    answered = [program(kind, name, resolver) for kind, name in question["policies"]]
    given = [messages for messages in answered if messages is not None]
    return [message for messages in given for message in messages] if given else None


def main():
    request = json.load(sys.stdin)
    programs = {"pyspf": ask_pyspf, "checkdmarc": ask_checkdmarc, "dkimpy": ask_dkimpy}
    program = programs[request["program"]]
    verdicts = []
    for question in request["questions"]:
        try:
            verdicts.append(ask(program, question, request["port"], request["secret"]))
        except Exception as error:
            verdicts.append([f"{type(error).__name__}: {error}"])
    json.dump(verdicts, sys.stdout)


main()
