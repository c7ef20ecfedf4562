// Answers for chains of client certificates and for certificate requests what kube-apiserver would: it calls what kube-apiserver calls, the package
// crypto/x509. Reads and writes a line of JSON for each.
package main

import (
	"bufio"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

type question struct {
	Roots     [][]byte
	Presented [][]byte
	Request   []byte
	Now       int64
}

type answer struct {
	Result string   `json:"result"`
	User   string   `json:"user,omitempty"`
	UID    string   `json:"uid,omitempty"`
	Groups []string `json:"groups,omitempty"`
	Names  []string `json:"names,omitempty"`
	Why    string   `json:"why,omitempty"`
}

const maxRSABits = 8192

var uidType = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57683, 2}

func refused(err error) answer { return answer{Result: "refused", Why: err.Error()} }

func verify(q question) answer {
	roots, others := x509.NewCertPool(), x509.NewCertPool()
	for _, der := range q.Roots {
		root, err := x509.ParseCertificate(der)
		if err != nil {
			return refused(fmt.Errorf("root: %w", err))
		}
		roots.AddCert(root)
	}
	var certificates []*x509.Certificate
	for _, der := range q.Presented {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return refused(err)
		}
		if key, ok := certificate.PublicKey.(*rsa.PublicKey); ok && key.N.BitLen() > maxRSABits {
			return refused(fmt.Errorf("large RSA key"))
		}
		certificates = append(certificates, certificate)
	}
	leaf := certificates[0]
	for _, certificate := range certificates[1:] {
		others.AddCert(certificate)
	}
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: others, CurrentTime: time.UnixMilli(q.Now), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return refused(err)
	}
	if leaf.Subject.CommonName == "" {
		return answer{Result: "nobody"}
	}
	var uids []string
	for _, name := range leaf.Subject.Names {
		if name.Type.Equal(uidType) {
			uids = append(uids, name.Value.(string))
		}
	}
	uid := ""
	if len(uids) > 1 || len(uids) == 1 && uids[0] == "" {
		return refused(fmt.Errorf("wrong UID"))
	} else if len(uids) == 1 {
		uid = uids[0]
	}
	return answer{Result: "user", User: leaf.Subject.CommonName, UID: uid, Groups: leaf.Subject.Organization}
}

func read(q question) answer {
	request, err := x509.ParseCertificateRequest(q.Request)
	if err != nil {
		return answer{Result: "malformed", Why: err.Error()}
	}
	if err := request.CheckSignature(); err != nil {
		return refused(err)
	}
	result := answer{Result: "user", User: request.Subject.CommonName, Groups: request.Subject.Organization}
	result.Names = append(result.Names, request.DNSNames...)
	result.Names = append(result.Names, request.EmailAddresses...)
	for _, ip := range request.IPAddresses {
		result.Names = append(result.Names, fmt.Sprintf("%x", []byte(ip)))
	}
	return result
}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	decoder := json.NewDecoder(input)
	for decoder.More() {
		var q question
		if err := decoder.Decode(&q); err != nil {
			panic(err)
		}
		if q.Request != nil {
			output.Encode(read(q))
		} else {
			output.Encode(verify(q))
		}
	}
}
